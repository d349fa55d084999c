import type { ExposureOfGroup } from '@duet/contract/insights.ts'
import { useTranslation } from 'react-i18next'
import { Bar } from './bar.tsx'
import { useNumbers } from './numbers.ts'
import { Nothing, Panel } from './panel.tsx'

const kinds = ['gender', 'age', 'tenure'] as const
/** The multiple of the average at which a bar has its full width. */
const full = 2

export function ExposureCard({ groups }: { groups: readonly ExposureOfGroup[] }) {
  const { t } = useTranslation('insights')
  return (
    <Panel title={t('exposure.title')} hint={t('exposure.hint')}>
      {groups.length === 0 ? (
        <Nothing>{t('exposure.none')}</Nothing>
      ) : (
        <div className="grid gap-x-10 gap-y-7 md:grid-cols-3">
          {kinds.map((kind) => (
            <section key={kind}>
              <h3 className="mb-3.5 text-s text-ink-2">{t(`exposure.by.${kind}`)}</h3>
              <ul className="grid gap-3.5">
                {groups
                  .filter(({ by }) => by === kind)
                  .map((group) => (
                    <Group key={group.group} {...group} />
                  ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </Panel>
  )
}

function Group(group: ExposureOfGroup) {
  const { t } = useTranslation('insights')
  const { whole, decimal } = useNumbers()
  const { people, ratio } = group
  return (
    <li>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <span>
          <GroupName {...group} />{' '}
          <span className="text-s text-ink-2">{t('exposure.people', { count: people, n: whole(people) })}</span>
        </span>
        <span className="font-[620]">{t('exposure.times', { n: decimal(ratio) })}</span>
      </div>
      <div className="relative">
        <Bar share={ratio / full} strong />
        <span aria-hidden="true" className="absolute -inset-y-0.5 start-1/2 w-px bg-ink-2" />
      </div>
    </li>
  )
}

function GroupName({ by, group }: Pick<ExposureOfGroup, 'by' | 'group'>) {
  const { t } = useTranslation('insights')
  const { whole } = useNumbers()
  if (by === 'gender') return t(`gender.${group as 'woman'}`)
  if (by === 'tenure') return t(`exposure.tenure.${group as '7'}`)
  const from = Number(group)
  const next = Number(group) + (group === '18' ? 12 : 10)
  if (group === '60') return t('exposure.andAbove', { from: whole(from) })
  return t('exposure.years', { from: whole(from), to: whole(next - 1) })
}
