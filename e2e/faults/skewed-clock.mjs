// Preloaded into a node: shifts its clock by CLOCK_OFF_MS to imitate a machine with a wrong clock.
const off = Number(process.env.CLOCK_OFF_MS)
const RealDate = Date
const now = () => RealDate.now() + off

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, as) => Reflect.construct(target, values.length > 0 ? values : [now()], as),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
