import { z } from 'zod'

/** An address of HTTP or HTTPS without a user name or password: those go into a token. */
export const serviceUrl = z
  .url({ protocol: /^https?$/ })
  .refine(url => !URL.canParse(url) || !hasCredentials(new URL(url)), 'must not have a user name or password in it')

const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== ''

/** What a variable such as `MEMORY_MCP_URL` says: the URL of an MCP server (streamable HTTP), or `embedded:`. */
export const mcpServiceAddress = z.union([serviceUrl, z.literal('embedded:')])
