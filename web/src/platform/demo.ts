const said = (what: string) => document.querySelector(`meta[name="duet-${what}"]`)?.getAttribute('content')

export const isDemo = (): boolean => said('demo') === 'on'

/** The display name of the external sign-in provider; empty without one. */
export const providerName = (): string => said('oidc') ?? ''
