import type pg from 'pg'

/** Ids of two people. All uuid columns use the first id except those below, so that foreign keys hold. */
const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
const seconds = 'blocked_id hi peer_id receiver_id reported_id target_id user_hi with_user_id'.split(' ')

const then = '2026-01-02 03:04:05.678+00'
/** A value of each type. Texts contain accented letters and characters that a copy must escape. */
const usual: Record<string, string> = {
  ...{ bool: 'true', bytea: `\\x${'a7'.repeat(32)}`, date: '1990-05-17', float4: '0.5', float8: '38.72' },
  ...{
    int2: '1',
    int4: '1',
    int8: '1',
    jsonb: '{}',
    text: 'é\t\\ "x"\n',
    timestamptz: then,
    uuid: first,
    varchar: 'x',
  },
  ...{ _int2: '{1,2}', _text: '{x,"y z"}', _uuid: `{${first}}` },
}

const [photo, month] = [`${'p'.repeat(22)}.webp`, '2026-02-01 00:00:00+00']
/** Values required by checks and text keys; null where a check requires null. */
const asked: Record<string, Record<string, string | null>> = {
  account_signals: { kind: 'person' },
  accounts: { email: 'ana@example.com', standing: 'good', language: 'ar' },
  address_changes: { email: 'new@example.com' },
  appeals: { state: 'upheld' },
  attachments: { kind: 'photo', file_name: `${'a'.repeat(22)}.webp`, duration_ms: null, waveform: null },
  audit_log: { action: 'an_act' },
  claims: { kind: 'report' },
  consents: { purpose: 'location' },
  conversations: { settled: 'false' },
  data_exports: { state: 'ready', file_name: `${'e'.repeat(43)}.zip` },
  decisions: { decision: 'like', item_kind: 'photo' },
  identity_proofs: { email: 'ana@example.com' },
  locations: { cell: '872a1072bffffff', published_cell: '872a1072bffffff' },
  mail_stops: { mail_group: 'digest' },
  messages: { client_id: 'c' },
  notification_preferences: { lock_screen: 'name' },
  photo_prints: { file_name: photo },
  photos: { file_name: photo, state: 'approved' },
  profiles: {
    ...{ gender: 'woman', age_min: '30', age_max: '40', max_distance_km: '25', height_cm: '170', children: 'open' },
    ...{ smoking: 'often', drinking: 'never', diet: 'vegan', who_may_message: 'verified' },
  },
  reports: { reason: 'scam', state: 'closed', outcome: 'upheld' },
  reviews: { kind: 'a_kind', state: 'closed', outcome: 'upheld' },
  sanctions: { kind: 'warning', ends_at: month, lifted_as: 'ended' },
  shared_dates: { check_in_minutes: '30' },
  verifications: { pose: 'a_pose', state: 'approved', reason: null, file_name: `${'v'.repeat(22)}.sealed` },
}

interface Column {
  table: string
  name: string
  type: string
}

/** Finds writable columns, leaving out generated ones and transaction ids, which have no meaning elsewhere. */
const findColumns = `
  select c.relname as table, a.attname as name, t.typname as type
  from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'kysely_%'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and t.typname <> 'xid8' order by c.relname, a.attnum`

function valueFor({ table, name, type }: Column): string | null {
  const given = asked[table]?.[name]
  if (given !== undefined) return given
  if (type === 'uuid' && seconds.includes(name)) return second
  const value = usual[type]
  if (value === undefined) throw new Error(`test/filled.ts has no value of the type ${type}, of ${table}.${name}`)
  return value
}

/**
 * Adds a row with a value in every column to every empty table of the catalogue. New tables are included automatically;
 * if a check fails, the error names it, and it needs an entry in `asked`.
 */
export async function fillEveryTable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Column>(findColumns)
  const tables = new Map<string, Column[]>()
  for (const column of rows) tables.set(column.table, [...(tables.get(column.table) ?? []), column])
  // Triggers are off, so that rows stay as inserted; the restore checks foreign keys.
  await client.query('begin; set local session_replication_role = replica')
  for (const [table, columns] of tables) {
    if ((await client.query(`select from "${table}" limit 1`)).rowCount) continue
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    const places = columns.map((_, place) => `$${place + 1}`).join(', ')
    const insert = `insert into "${table}" (${names}) overriding system value values (${places})`
    const values = columns.map(valueFor)
    await client.query(insert, values)
    if (table !== 'accounts') continue
    const other = { id: second, email: 'ben@example.com' } as Record<string, string>
    await client.query(
      insert,
      columns.map(({ name }, place) => other[name] ?? values[place]),
    )
  }
  await client.query('commit')
}
