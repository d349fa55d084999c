import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../../ui/button.tsx'

const pictures = ['deck', 'reasons', 'chat'] as const
const promises = ['place', 'order', 'people', 'leave'] as const
const files = import.meta.glob<string>('./pictures/*.webp', { eager: true, query: '?url', import: 'default' })

export default function About() {
  const { t } = useTranslation('welcome')
  return (
    <div id="about" className="scroll-mt-4">
      <section className="mx-auto max-w-280 px-5 py-14 sm:px-12 lg:py-24">
        <h2 className="display max-w-130 text-2xl text-balance sm:text-3xl">{t('title')}</h2>
        <p className="mt-3 max-w-130 text-ink-2 text-pretty sm:text-l">{t('lead')}</p>
        <div className="mt-9 grid gap-11 sm:grid-cols-3 sm:gap-6 lg:mt-13 lg:gap-12">
          {pictures.map((name) => (
            <figure key={name}>
              <Picture name={name} />
              <figcaption className="mt-4.5">
                <h3 className="font-[620]">{t(`pictures.${name}.title`)}</h3>
                <p className="mt-1 text-ink-2 text-pretty">{t(`pictures.${name}.text`)}</p>
              </figcaption>
            </figure>
          ))}
        </div>
      </section>
      <section className="bg-sunken">
        <div className="mx-auto max-w-280 px-5 py-14 sm:px-12 lg:py-20">
          <h2 className="display text-2xl sm:text-3xl">{t('promises.title')}</h2>
          <ul className="mt-8 grid gap-8 sm:grid-cols-2 sm:gap-x-12 lg:grid-cols-4 lg:gap-x-10">
            {promises.map((name) => (
              <li key={name} className="border-t-2 border-accent pt-4">
                <h3 className="font-[620] text-balance">{t(`promises.${name}.title`)}</h3>
                <p className="mt-1.5 text-ink-2 text-pretty">{t(`promises.${name}.text`)}</p>
              </li>
            ))}
          </ul>
        </div>
      </section>
      <section className="mx-auto flex max-w-280 flex-col gap-6 px-5 py-14 sm:px-12 lg:flex-row lg:items-center lg:justify-between lg:py-20">
        <div>
          <h2 className="display text-2xl sm:text-3xl">{t('closing')}</h2>
          <p className="mt-2 text-ink-2">{t('adults')}</p>
        </div>
        <LinkButton to="/signup" size="l" className="w-full sm:w-auto sm:self-start lg:self-auto">
          {t('start')}
        </LinkButton>
      </section>
    </div>
  )
}

const frame = 'aspect-[39/64] w-full rounded-xl border border-line bg-surface object-cover object-top shadow-one'

/** Both themes are rendered, and only the current one is visible. Lazy loading skips the other. */
function Picture({ name }: { name: (typeof pictures)[number] }) {
  const { t } = useTranslation('welcome')
  const fileOf = (theme: string) => files[`./pictures/${name}-${theme}.webp`]
  const alt = t(`pictures.${name}.alt`)
  const shared = {
    width: 624,
    height: 1024,
    loading: 'lazy',
    decoding: 'async',
  } as const
  return (
    <>
      <img {...shared} alt={alt} src={fileOf('light')} className={`${frame} dark:hidden`} />
      <img {...shared} alt={alt} src={fileOf('dark')} className={`${frame} hidden dark:block`} />
    </>
  )
}
