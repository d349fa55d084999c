/** What the server says of itself in the page. */
const said = (what: string) => document.querySelector(`meta[name="duet-${what}"]`)?.getAttribute('content')

/** Whether the server runs the demo world. */
export const isDemo = (): boolean => said('demo') === 'on'

/** What people call the provider whose accounts sign in as well; empty without one. */
export const providerName = (): string => said('oidc') ?? ''
