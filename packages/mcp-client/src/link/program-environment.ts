import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import { networkEnvironment } from './network-environment.ts'

/** Returns the environment of a program: what is safe to inherit, the network's variables, and its own, which win. */
export const programEnvironment = (own: Readonly<Record<string, string>>): Record<string, string> => ({
  ...getDefaultEnvironment(),
  ...networkEnvironment(name => process.env[name]),
  ...own,
})
