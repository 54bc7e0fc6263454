/** The name of the sessions of core among the parts of personal data, beside the names of plugins. */
export const sessionsPart = 'sessions'

/** The name of the other personal data in core. */
export const corePart = 'core'

/** Names that a plugin or capability may not have, because core uses them. */
const reservedNames: ReadonlySet<string> = new Set([corePart, 'sibyl', sessionsPart])

/**
 * Returns whether a text is a valid name of a plugin or a capability: lower case, digits and single hyphens, at most 40
 * characters.
 */
export const isPluginName = (text: string): boolean =>
  text.length <= 40 && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text) && !reservedNames.has(text)
