export { type LoadEnvFileOptions, loadEnvFile, type MadeSecret, type Variables } from './load-env-file.ts'
export { runUntilSignal } from './run-until-signal.ts'
export { reasonOf, StartError } from './start-error.ts'
