/** The most abilities of which a tool may accept one. */
const maxAbilities = 10

/** The most characters of an ability. */
const maxAbility = 200

/** Returns whether a value is an ability such as `memory/read`. Patterns such as `memory/*` are not. */
export const isPlainAbility = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxAbility && /^[a-z][\w-]*(\/[a-z][\w-]*)+$/.test(value)

/** Returns whether a value names what a caller needs: an ability, or a list of which one is enough. */
export const isRequiredAbility = (value: unknown): boolean =>
  isPlainAbility(value) ||
  (Array.isArray(value) && value.length > 0 && value.length <= maxAbilities && value.every(isPlainAbility))
