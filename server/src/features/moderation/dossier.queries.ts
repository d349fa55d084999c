import type { Standing } from '@duet/contract/sanctions.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { OwnPhotoRow } from '../photos/photos.queries.ts'

interface Counts {
  open: number
  upheld: number
  dismissed: number
}

export interface DossierRow {
  id: string
  name: string
  birth_date: string
  area: string | null
  verified: boolean
  is_super_admin: boolean
  standing: Standing
  standing_until: Date | null
  created_at: Date
  photos: OwnPhotoRow[]
  about: Counts
  by: Counts & { falseReports: number }
}

const counts = sql`'open', count(*) filter (where state = 'open'), 'upheld', count(*) filter (where outcome = 'upheld'),
  'dismissed', count(*) filter (where outcome = 'dismissed')`

/**
 * The facts about a person that a viewer may see, even if the person is hidden. Contains nothing about their contacts,
 * and no report about the viewer.
 */
export async function findDossier(db: Db, viewerId: string, userId: string): Promise<DossierRow | undefined> {
  const { rows } = await sql<DossierRow>`
    select a.id, p.name, p.birth_date, l.area, p.verified, a.is_super_admin, a.standing, a.standing_until, a.created_at,
      (select coalesce(json_agg(json_build_object('file_name', i.file_name, 'state', i.state, 'alt', i.alt,
          'width', i.width, 'height', i.height, 'blurhash', i.blurhash) order by i.position), '[]')
        from photos i where i.user_id = a.id) as photos,
      (select json_build_object(${counts}) from reports where reported_id = a.id) as about,
      (select json_build_object(${counts}, 'falseReports', count(*) filter (where false_report))
        from reports where reporter_id = a.id and reported_id <> ${viewerId}) as by
    from accounts a join profiles p on p.user_id = a.id left join locations l on l.user_id = a.id
    where a.id = ${userId}`.execute(db)
  return rows[0]
}
