/** Whole years between a birth date (`YYYY-MM-DD`) and a moment, both in UTC. */
export function ageOn(birthDate: string, moment: Date): number {
  const [year = 0, month = 1, day = 1] = birthDate.split('-').map(Number)
  const hadBirthday =
    moment.getUTCMonth() + 1 > month || (moment.getUTCMonth() + 1 === month && moment.getUTCDate() >= day)
  return moment.getUTCFullYear() - year - (hadBirthday ? 0 : 1)
}
