/** Settings by variable name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the trimmed value of a variable; undefined if it is unset or blank. */
export const settingOf = (env: Environment, name: string): string | undefined => {
  if (!Object.hasOwn(env, name)) return undefined
  const value: unknown = env[name]
  if (value === undefined || value === null) return undefined
  const text = String(value).trim()
  return text === '' ? undefined : text
}
