import { cliErrors } from '../../errors/cli-errors.ts'
import type { CommandIo } from '../../process/command-io.ts'

/** The names of schemas of tenants, as `@sibyl/storage` accepts them. */
export const tenantName = /^(?!pg_)[a-z_][a-z0-9_]{0,49}$/

/** Returns the version of the PostgreSQL driver in the project of a tenant. */
export const driverOf = (tenant: string | undefined): Readonly<Record<string, string>> =>
  tenant === undefined ? {} : { pg: '^8.23.0' }

/**
 * Returns the variables of a tenant's database: the PostgreSQL of the environment, with the schema of the tenant.
 *
 * @throws `configuration_invalid` if the environment names no PostgreSQL
 */
export const tenantDatabase = (
  tenant: string | undefined,
  { DATABASE_URL, DATABASE_DIRECT_URL }: CommandIo['env'],
): Readonly<Record<string, string>> => {
  if (tenant === undefined) return {}
  const url = postgresUrl(DATABASE_URL)
  if (url === undefined) {
    const remedy = 'Set it, for example: DATABASE_URL=postgres://user:password@host:5432/sibyl'
    throw cliErrors.configuration_invalid('A tenant needs a PostgreSQL database in DATABASE_URL.', remedy)
  }
  url.searchParams.set('schema', tenant)
  return { DATABASE_URL: url.href, ...(DATABASE_DIRECT_URL && { DATABASE_DIRECT_URL }) }
}

const postgresUrl = (text = ''): URL | undefined => {
  const url = URL.parse(text.trim())
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) ? url : undefined
}
