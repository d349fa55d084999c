/** What every screen says, and how to load what one screen says. */
export const shared = import.meta.glob<object>('./ar/{common,ui}.json', { eager: true, import: 'default' })
export const others = import.meta.glob<object>(['./ar/*.json', '!./ar/{common,ui}.json'], { import: 'default' })
