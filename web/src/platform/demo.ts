const said = (what: string) => document.querySelector(`meta[name="duet-${what}"]`)?.getAttribute('content')

export const isDemo = (): boolean => said('demo') === 'on'

/** Empty if there is no external sign-in provider. */
export const providerName = (): string => said('oidc') ?? ''
