import type { CommandIo } from './command-io.ts'

/** Opens an address in the browser of the user. Returns false without one, such as over SSH or in a script. */
export const openBrowser = async (
  url: string,
  { env, stdout }: Pick<CommandIo, 'env' | 'stdout'>,
): Promise<boolean> => {
  if (stdout.isTTY !== true || env.CI || !hasBrowser(env)) return false
  try {
    const { default: open } = await import('open')
    await open(url)
    return true
  } catch {
    return false
  }
}

const hasBrowser = (env: CommandIo['env']): boolean =>
  process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME)
