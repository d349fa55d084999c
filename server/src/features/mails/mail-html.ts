import type { AppLanguage } from '@duet/contract/accounts.ts'

/** HTML shows `label`, or the URL if there is no label. */
export interface MailLink {
  text: string
  href: string
  label?: string
}

/** Line breaks within a part are kept. */
export interface MailParts {
  subject: string
  /** The preview that inboxes show beside the subject. It must not contain what the subject hides. */
  preheader?: string
  greeting?: string
  /** A link with a label becomes a button. */
  paragraphs: readonly (string | MailLink)[]
  /** News, one per line, between the first paragraph and the others. */
  items?: readonly string[]
  footer?: readonly (string | MailLink)[]
}

/*
 * One plain layout for all emails: a card on a paper-coloured background, made of tables and inline styles, because
 * email programs drop most other styling. Loads nothing. The colours are the app's. The dark ones need the style
 * element; programs that drop it show the light ones or darken them automatically.
 */

const light = { paper: '#faf6f0', card: '#ffffff', line: '#e8dfd4', ink: '#221c18', soft: '#675d55', accent: '#b83b28' }
const dark = { paper: '#15110e', card: '#1f1a16', line: '#372e27', ink: '#f3ebe2', soft: '#b9ada1', accent: '#ff8f78' }
const onAccent = { light: '#ffffff', dark: '#2b0f08' }

const serif = "Georgia, 'Times New Roman', serif"
const sans = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

const style = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
a { text-underline-offset: 3px; }
@media (max-width: 480px) { .card { padding: 28px 22px !important; } .page { padding: 20px 12px 32px !important; } }
@media (prefers-color-scheme: dark) {
  .paper { background-color: ${dark.paper} !important; }
  .card { background-color: ${dark.card} !important; border-color: ${dark.line} !important; }
  .ink { color: ${dark.ink} !important; }
  .soft { color: ${dark.soft} !important; }
  .item { border-color: ${dark.line} !important; }
  .link, .mark { color: ${dark.accent} !important; }
  .go { background-color: ${dark.accent} !important; }
  .go a { color: ${onAccent.dark} !important; }
}`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '')
const lines = (text: string) => escaped(text).replaceAll('\n', '<br>')

const ofText = `font-family:${sans};font-size:16px;line-height:25px`
const ofNote = `font-family:${sans};font-size:13px;line-height:20px`

const paragraph = (html: string) => `<p class="ink" style="margin:0 0 18px;${ofText};color:${light.ink}">${html}</p>`

const anchor = (href: string, html: string, extra = '') =>
  `<a class="link" href="${escaped(href)}" style="color:${light.accent};${extra}">${html}</a>`

const button = (href: string, label: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:26px 0 24px"><tr>
<td class="go" bgcolor="${light.accent}" style="background-color:${light.accent};border-radius:24px">
<a href="${escaped(href)}" style="display:inline-block;padding:13px 26px;font-family:${sans};font-size:16px;line-height:22px;font-weight:600;color:${onAccent.light};text-decoration:none">${escaped(label)}</a>
</td></tr></table>`

function shown(part: string | MailLink): string {
  if (typeof part === 'string') return paragraph(lines(part))
  if (part.label !== undefined) return `${part.text ? paragraph(lines(part.text)) : ''}${button(part.href, part.label)}`
  return paragraph(
    `${lines(part.text)}<br>${anchor(part.href, escaped(part.href), `${ofNote};word-break:break-all;direction:ltr;unicode-bidi:isolate`)}`,
  )
}

const listed = (items: readonly string[]) =>
  items.length === 0
    ? ''
    : `<ul style="list-style:none;margin:0 0 8px;padding:0">${items
        .map(
          (item) =>
            `<li class="item ink" style="margin:0;padding:13px 0;border-top:1px solid ${light.line};${ofText};color:${light.ink}">${escaped(item)}</li>`,
        )
        .join('')}</ul>`

const noted = (part: string | MailLink) =>
  `<p class="soft" style="margin:0 0 8px;${ofNote};color:${light.soft}">${
    typeof part === 'string'
      ? lines(part)
      : `${lines(part.text)} ${anchor(part.href, escaped(part.label ?? part.href), 'word-break:break-word')}`
  }</p>`

const wordmark = `<span dir="ltr" style="font-family:${serif};font-size:24px;line-height:28px;letter-spacing:-.5px">Duet</span>`

/** Blank space after the preheader. Without it, inboxes would fill the preview with the email's first words. */
const room = '&#8199;&#65279;&#847; '.repeat(40)

function card({ greeting, subject, paragraphs: [first, ...rest], items = [] }: MailParts): string {
  return `<h1 class="ink" style="margin:0 0 16px;font-family:${serif};font-size:25px;line-height:32px;font-weight:500;color:${light.ink}">${escaped(greeting ?? subject)}</h1>
${first === undefined ? '' : shown(first)}${listed(items)}${rest.map(shown).join('\n')}`
}

/** Escapes everything. */
export function htmlOf(language: AppLanguage, parts: MailParts): string {
  const way = language === 'ar' ? 'rtl' : 'ltr'
  const side = way === 'rtl' ? 'right' : 'left'
  const { subject, preheader, footer = [] } = parts
  return `<!doctype html>
<html lang="${language}" dir="${way}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escaped(subject)}</title>
<style>${style}</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:${light.paper}">
${preheader ? `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escaped(preheader)}${room}</div>` : ''}
<table role="presentation" class="paper" lang="${language}" dir="${way}" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${light.paper}" style="width:100%;background-color:${light.paper}"><tr>
<td class="page" align="center" style="padding:36px 16px 44px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px">
<tr><td class="mark" align="${side}" style="padding:0 6px 16px;color:${light.accent}">${wordmark}</td></tr>
<tr><td class="card" align="${side}" bgcolor="${light.card}" style="padding:34px 36px 18px;background-color:${light.card};border:1px solid ${light.line};border-radius:20px;overflow-wrap:anywhere">
${card(parts)}
</td></tr>
<tr><td align="${side}" style="padding:20px 6px 0">${footer.map(noted).join('\n')}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}
