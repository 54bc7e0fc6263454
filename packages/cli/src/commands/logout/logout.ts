import type { JsonOptions } from '../../command/common-options.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { type KeptLogin, KeptLogins } from '../../home/kept-logins.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'

/**
 * Runs `sibyl logout`.
 *
 * @param which The address or DID of a registry, or the DID of a controller.
 * @throws `usage_invalid` when the login is ambiguous or missing
 */
export const logout = async (
  which: string | undefined,
  { all = false, json = false }: JsonOptions & { readonly all?: boolean },
  io: CommandIo,
): Promise<void> => {
  const logins = new KeptLogins(homeFolder(io.env))
  const kept = await logins.list()
  const wanted = which?.replace(/\/+$/, '')
  if (wanted !== undefined && all)
    throw cliErrors.usage_invalid('--all conflicts with the argument.', 'Omit one of them.')
  if (wanted === undefined && !all && kept.length > 1) {
    throw cliErrors.usage_invalid(`You have ${kept.length} logins.`, 'Pass one (sibyl whoami lists them), or --all.')
  }
  const fits = ({ registry, url, controller }: KeptLogin) =>
    wanted === undefined || [registry, url, controller].includes(wanted)
  const dropped = await logins.drop(fits)
  if (wanted !== undefined && dropped.length === 0) {
    throw cliErrors.usage_invalid('No such login exists.', 'sibyl whoami lists your logins.')
  }
  if (json) writeJson(io, { dropped: dropped.map(({ registry, url, controller }) => ({ registry, url, controller })) })
  else if (dropped.length === 0) io.stderr.write('You are not signed in.\n')
  for (const { title, controller } of json ? [] : dropped) {
    io.stderr.write(`Signed out at ${cleanLine(title)}, as ${cleanLine(controller)}.\n`)
  }
}
