/** What the tab of the browser is called while this is drawn. It stays in its history: it names nobody. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} · Duet`}</title>
}
