export { checkPooling, storageErrors } from '@sibyl/storage'
export { coreVersion } from './boot/core-version.ts'
export type {
  ListeningAddress,
  OracleApp,
  OracleAppOptions,
  OracleEvents,
} from './boot/oracle-app.ts'
export { type EnvVariable, listEnvVariables } from './config/env-reference.ts'
export { configVariables, type OracleConfig, oracleConfigSchema } from './config/oracle-config.ts'
export { parseOracleConfig } from './config/parse-oracle-config.ts'
export { createOracleApp } from './create-oracle-app.ts'
export type { RouteRecord } from './http/route-record.ts'
export { outdatedRanges } from './plugins/outdated-ranges.ts'
