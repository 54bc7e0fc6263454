import { cliErrors } from '../errors/cli-errors.ts'

/**
 * The name of a key as it is used for a file.
 *
 * @throws `usage_invalid` when it is no such name
 */
export const checkKeyName = (name: string): string => {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) return name
  throw cliErrors.usage_invalid(
    'This is no name for a key.',
    'Take up to 40 lower-case letters, digits and hyphens, beginning with a letter or digit: work',
  )
}

/** The same of a key that may be retired: `work`, `work.1`. */
export const checkKeptName = (name: string): string => {
  const [, current = name] = /^(.*)\.[1-9]\d{0,3}$/.exec(name) ?? []
  checkKeyName(current)
  return name
}
