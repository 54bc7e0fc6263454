/** Maximum number of alternative abilities of a tool. */
const maxAbilities = 10

/** Maximum length of an ability, in characters. */
const maxAbility = 200

/** Returns whether a value is an ability such as `memory/read`. Patterns such as `memory/*` are not. */
export const isPlainAbility = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxAbility && /^[a-z][\w-]*(\/[a-z][\w-]*)+$/.test(value)

/** Returns whether a value is a required ability, or a list of which one is enough. */
export const isRequiredAbility = (value: unknown): boolean =>
  isPlainAbility(value) ||
  (Array.isArray(value) && value.length > 0 && value.length <= maxAbilities && value.every(isPlainAbility))
