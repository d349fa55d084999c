import type { Ground, SanctionKind } from '@duet/contract/sanctions.ts'
import type { Mail } from '../../platform/mailer.ts'
import type { Platform } from '../../platform/platform.ts'
import { appealUntil } from './appeal-time.ts'
import type { SanctionRow } from './sanctions.queries.ts'

/** What a sanction does, said to whom it does it. */
const effects: Record<Exclude<SanctionKind, 'shadow'>, string> = {
  warning: 'This is a warning. Nothing is restricted.',
  item_removed: 'What broke the rules was removed. Nothing else is restricted.',
  restriction: 'You can read and answer, but not like anybody or begin new conversations.',
  suspension: 'Nobody sees you, and you can only sign in to read this, to appeal, and to export or erase your data.',
  ban: 'Nobody sees you, and you can only sign in to read this, to appeal, and to export or erase your data.',
  reporting_restriction: 'You cannot report anybody. Blocking works as before.',
}

const rules: Record<Ground, string> = {
  underage: 'People under 18 may not be here.',
  threats: 'Nobody may threaten anybody.',
  sextortion: 'Nobody may be blackmailed with pictures or secrets.',
  scam: 'Nobody may ask for money or deceive others for gain.',
  fake_profile: 'A profile shows the person it belongs to.',
  harassment: 'Nobody may be harassed or insulted.',
  hate: 'Nobody may be degraded for what they are.',
  sexual_content: 'Nobody is shown sexual content they did not ask for.',
  offline_harm: 'Nobody may be harmed, here or where people meet.',
  spam: 'Nobody may advertise or send the same to many.',
  evasion: 'A decision may not be evaded with another account.',
  false_reports: 'Nobody may be reported for what they did not do.',
  other: 'The rules of the community, as explained above.',
}

const day = (date: Date) => date.toISOString().slice(0, 10)

/** The statement of reasons: what is restricted and for how long, the facts, the rule, who decided, and how to appeal. */
export function statementMail(
  { config }: Pick<Platform, 'config'>,
  row: SanctionRow,
  { email, name }: { email: string; name: string },
): Mail {
  const address = `${config.publicUrl ?? `http://localhost:${config.port}`}/standing`
  const lasts = row.ends_at ? ` It lasts until ${day(row.ends_at)}.` : ''
  const effect = row.kind === 'shadow' ? '' : effects[row.kind]
  const text = [
    `Hello ${name},`,
    `a decision was made about your account on Duet on ${day(row.created_at)}.`,
    `What it means: ${effect}${lasts}`,
    `Why: ${row.statement}`,
    `The rule: ${rules[row.ground]}`,
    row.automated ? 'It was decided automatically.' : 'It was decided by a person, not automatically.',
    `If you think it is wrong, you can appeal until ${day(appealUntil(row.created_at))}, free of charge; somebody else will look at it: ${address}`,
    'You may also turn to a court.',
  ]
  return { to: email, subject: 'A decision about your Duet account', text: `${text.join('\n\n')}\n` }
}
