/** An address as its mailbox has it: without a tag; of Gmail, without dots. One mailbox can be written in many ways. */
export function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.trim().toLowerCase().split('@')
  const [plain = ''] = local.split('+', 1)
  return domain === 'gmail.com' || domain === 'googlemail.com'
    ? `${plain.replaceAll('.', '')}@gmail.com`
    : `${plain}@${domain}`
}
