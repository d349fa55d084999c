import { describe, expect, it } from 'vitest'
import { Email } from './accounts.ts'
import { asEmail, emailFaultOf } from './email-address.ts'

/** The validation rule for HTML email fields: https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address */
const html =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

describe('an email address', () => {
  it.each([
    ['Ana@Example.COM', 'ana@example.com'],
    ['q&a@example.com', 'q&a@example.com'],
    ['a/b@example.com', 'a/b@example.com'],
    ['ana#duet@example.com', 'ana#duet@example.com'],
    ['wow!@example.com', 'wow!@example.com'],
    ["o'neil+duet@example.com", "o'neil+duet@example.com"],
    ['.ana..b.@docomo.ne.jp', '.ana..b.@docomo.ne.jp'],
    ['`{|}~^?=*%$@example.com', '`{|}~^?=*%$@example.com'],
    ['ana@xn--mnchen-3ya.de', 'ana@xn--mnchen-3ya.de'],
    ['ana@xn--wgbl6a.xn--wgbh1c', 'ana@xn--wgbl6a.xn--wgbh1c'],
    ['ana@münchen.de', 'ana@xn--mnchen-3ya.de'],
    ['ana@MÜNCHEN.de', 'ana@xn--mnchen-3ya.de'],
    ['ana@mu\u0308nchen.de', 'ana@xn--mnchen-3ya.de'],
    ['ana@straße.de', 'ana@xn--strae-oqa.de'],
    ['ana@例え.jp', 'ana@xn--r8jz45g.jp'],
    ['ana@例え。jp', 'ana@xn--r8jz45g.jp'],
    ['ana＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ana@example.com'],
    ['ana@пример.рф', 'ana@xn--e1afmkfd.xn--p1ai'],
    ['ana@مثال.مصر', 'ana@xn--mgbh0fb.xn--wgbh1c'],
    ['ana@דוגמה.קום', 'ana@xn--6dbbec0c.xn--9dbq2a'],
    ['ana@उदाहरण.भारत', 'ana@xn--p1b6ci4b4b3a.xn--h2brj9c'],
    ['ana@ตัวอย่าง.ไทย', 'ana@xn--72c1a1bt4awk9o.xn--o3cw4h'],
    ['ana@παράδειγμα.ελ', 'ana@xn--hxajbheg2az3al.xn--qxam'],
    ['ana@예시.한국', 'ana@xn--vv4b11d.xn--3e0b707e'],
    [' ana@example.com\n', 'ana@example.com'],
  ])('typed as %s is stored as %s', (typed, stored) => {
    expect(emailFaultOf(typed)).toBeUndefined()
    expect(asEmail(typed)).toBe(stored)
    expect(stored).toMatch(html)
    expect(asEmail(stored)).toBe(stored)
    expect(Email.parse(typed)).toBe(stored)
  })

  it.each([
    ['', 'at'],
    ['ana', 'at'],
    ['@example.com', 'at'],
    ['ana@', 'at'],
    ['ana@b@example.com', 'at'],
    ['josé@example.com', 'mailbox'],
    ['ana maria@example.com', 'mailbox'],
    ['"ana"@example.com', 'mailbox'],
    ['<ana>@example.com', 'mailbox'],
    ['ana,ben@example.com', 'mailbox'],
    ['ana\r\nBcc: x@example.com', 'mailbox'],
    ['ana@gmail', 'domain'],
    ['ana@example..com', 'domain'],
    ['ana@-example.com', 'domain'],
    ['ana@exam ple.com', 'domain'],
    ['ana@exam\r\nple.com', 'domain'],
    ['ana@1.2.3.4', 'domain'],
    ['ana@１.２', 'domain'],
    ['ana@[127.0.0.1]', 'domain'],
    ['ana@münchen.de/x', 'domain'],
    ['ana@münchen.de:25', 'domain'],
    ['ana@münchen.de?x', 'domain'],
    ['ana@exa_mple.com', 'domain'],
    [`ana@${'a'.repeat(64)}.com`, 'domain'],
    [`ana@${'abcdefghi.'.repeat(25)}com`, 'long'],
  ])('typed as %j is rejected with the fault %s', (typed, fault) => {
    expect(emailFaultOf(typed)).toBe(fault)
    expect(Email.safeParse(typed).success).toBe(false)
  })
})
