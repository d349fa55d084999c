import type { Gender } from '@duet/contract/accounts.ts'
import type { Decision, MyDetails } from '@duet/contract/profiles.ts'
import type pg from 'pg'
import { fitsBothWays, searcherFrom, showsItself } from '../candidates/fits.queries.ts'
import { matchingConstants } from '../matching/constants.ts'
import type { PhotoRow } from '../photos/photos.queries.ts'

export interface FactRow {
  height_cm: number | null
  children: MyDetails['facts']['children']
  smoking: MyDetails['facts']['smoking']
  drinking: MyDetails['facts']['drinking']
  diet: MyDetails['facts']['diet']
  faith: MyDetails['facts']['faith']
  languages: MyDetails['facts']['languages']
}
export const factColumns = 'p.height_cm, p.children, p.smoking, p.drinking, p.diet, p.faith, p.languages'

export interface PublicRow extends FactRow {
  id: string
  name: string
  birth_date: string
  gender: Gender | null
  gender_text: string
  pronouns: string
  bio: string
  intents: MyDetails['intents']
  interests: MyDetails['interests']
  prompts: MyDetails['prompts']
  verified: boolean
}

/** A person's inputs to ranking (see `Stated`). If `traits` is null, no search finds the person. */
interface StatedRow {
  traits: number | null
  avoids: number
  spoken: number
  interests_1: number
  interests_2: number
  /** The person's distance bucket in km, even if they hide their distance. */
  near_km: number | null
  here_today: boolean
  is_new: boolean
}

export interface CardRow extends PublicRow, StatedRow {
  last_active_at: Date
  area: string | null
  distance_km: number | null
  my_decision: Decision | null
  matched: boolean
  may_message: boolean
  hide_distance: boolean
  hide_presence: boolean
  photos: PhotoRow[]
  fits: boolean
  sheet: Buffer | null
}

// Starts with what separates two people: `not_found` marks everyone whom the viewer can't see.
const cards = `with me as materialized (select * from ${searcherFrom('$2')}),
    -- So that the plan does not depend on how many they are, and is made once.
    asked as materialized (select $4::uuid[] as ids)
  select p.user_id as id, p.name, p.birth_date, p.gender, p.gender_text, p.pronouns, p.bio, p.intents, p.interests, p.prompts,
    p.verified, p.last_active_at, ${factColumns}, d.decision as my_decision, m.id is not null as matched,
    p.hide_distance, p.hide_presence, case when p.hide_distance then l.wide_area else l.area end as area,
    coalesce(refused.refusal, 'unseen') = 'unseen' as may_message,
    case when not p.hide_distance then distance_bucket(centre_distance_km(me.latitude, me.longitude, l.latitude, l.longitude)) end as distance_km,
    (select coalesce(json_agg(json_build_object('file_name', i.file_name, 'alt', i.alt, 'width', i.width, 'height', i.height,
        'blurhash', i.blurhash) order by i.position), '[]')
      from photos i where i.user_id = p.user_id and (i.state = any($6) or i.user_id = $1)) as photos,
    c.traits, c.avoids, c.languages as spoken, c.interests_1, c.interests_2,
    distance_bucket(centre_distance_km(me.latitude, me.longitude, c.latitude, c.longitude)) as near_km,
    c.active_on >= $3::date as here_today, $3::date - c.since <= ${matchingConstants.newcomerHours / 24} as is_new,
    coalesce(${fitsBothWays} and ${showsItself}, false) as fits, h.sheet
  from me cross join asked cross join refusals_to_write(array_fill($1::uuid, array[cardinality(asked.ids)]), asked.ids, $5) refused
  join profiles p on p.user_id = asked.ids[refused.place]
  left join locations l on l.user_id = p.user_id and (l.published_at is not null or p.user_id = $1)
  left join decisions d on d.actor_id = $1 and d.target_id = p.user_id
  left join matches m on m.id = conversation_id($1, p.user_id) and m.ended_at is null
  left join candidates c on c.user_id = p.user_id
  left join answer_sheets h on h.user_id = p.user_id
  where p.user_id = $1 or refused.refusal is distinct from 'not_found'`

export interface Asking {
  viewerId: string
  me: object
  /** `YYYY-MM-DD` in UTC. */
  today: string
  ids: readonly string[]
  /** Whether people may write to each other only after a match. */
  needsMatch: boolean
  shown: readonly string[]
}

/** In no particular order. */
export async function findCards(
  pool: pg.Pool,
  { viewerId, me, today, ids, needsMatch, shown }: Asking,
): Promise<CardRow[]> {
  const values = [viewerId, JSON.stringify(me), today, ids, needsMatch, shown]
  return (await pool.query<CardRow>({ name: 'cards', text: cards, values })).rows
}
