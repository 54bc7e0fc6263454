/** Addresses of the console and of the oracle's API. */
export interface ConsoleBase {
  /** URL of the console, without a slash at its end. */
  readonly console: string
  /** URL of the oracle, with a slash at its end. */
  readonly oracle: URL
}

/**
 * Returns the addresses by the URL of a script of the app, which is at `/console/assets/`: they hold below any path of a
 * proxy.
 */
export const consoleBase = (script: string): ConsoleBase => ({
  console: new URL('..', script).href.replace(/\/$/, ''),
  oracle: new URL('../../', script),
})

/** Returns the address below the console, such as `/chat`. */
export const pathBelow = (base: ConsoleBase): string => location.href.slice(base.console.length)
