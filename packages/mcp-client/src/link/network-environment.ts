const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY']

/** The variables that a program gets besides the SDK's list, so that it reaches the network as the oracle does. */
const networkVariables: readonly string[] = [
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_ENV_PROXY',
  ...proxyNames,
  ...proxyNames.map(name => name.toLowerCase()),
]

/**
 * Picks the variables of the network that are set.
 *
 * @param read Returns the value of a variable.
 */
export const networkEnvironment = (read: (name: string) => string | undefined): Record<string, string> =>
  Object.fromEntries(
    networkVariables.flatMap(name => {
      const value = read(name)
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
