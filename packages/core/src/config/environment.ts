/** Settings by variable name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the trimmed value of a variable; undefined if it is unset or blank. */
export const settingOf = (env: Environment, name: string): string | undefined => {
  if (!Object.hasOwn(env, name)) return undefined
  const value: unknown = env[name]
  if (value === undefined || value === null) return undefined
  const text = withoutQuotes(String(value).trim()).trim()
  return text === '' ? undefined : text
}

/** `docker --env-file` and systemd pass the quotes of a file on as a part of the value. */
const withoutQuotes = (text: string): string => (isQuoted(text) ? text.slice(1, -1) : text)

/** Whether a value is in quotes as a whole. */
export const isQuoted = (text: string): boolean => /^(?:"[^"]*"|'[^']*')$/.test(text)

/** The names of NODE_ENV that are known, and others that are used for them. */
const environments = new Set(['development', 'production', 'test'])
const environmentNames: Readonly<Record<string, string>> = { prod: 'production', dev: 'development' }

/** Returns what NODE_ENV means: case does not count, and an unknown value has the strict defaults of production. */
export const environmentOf = (value = 'development'): string => {
  const name = knownEnvironment(value)
  return environments.has(name) ? name : 'production'
}

/** Whether `environmentOf` knows a value. */
export const isKnownEnvironment = (value: string): boolean => environments.has(knownEnvironment(value))

const knownEnvironment = (value: string): string => {
  const name = value.trim().toLowerCase()
  return Object.hasOwn(environmentNames, name) ? environmentNames[name]! : name
}
