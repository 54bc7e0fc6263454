/** What core itself keeps of people goes by this name, beside the names of plugins. */
export const sessionsPart = 'sessions'

/** The rest of what core stores of people. */
export const corePart = 'core'

/** Names that a plugin or capability may not have, because core's own parts go by them. */
export const reservedNames: ReadonlySet<string> = new Set([corePart, 'sibyl', sessionsPart])

/** Whether a text may name a plugin or a capability: lower case, digits and single hyphens, at most 40 characters. */
export const isPluginName = (text: string): boolean =>
  text.length <= 40 && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text) && !reservedNames.has(text)
