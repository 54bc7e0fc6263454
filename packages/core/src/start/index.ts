export { loadEnvFile, type Variables } from './load-env-file.ts'
export { runUntilSignal } from './run-until-signal.ts'
export { StartError } from './start-error.ts'
