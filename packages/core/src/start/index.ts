export { defaultModel, listModels, type ModelServer, unlistedModel } from '@sibyl/models'
export { reasonOf, StartError } from '../errors/start-error.ts'
export { type LoadEnvFileOptions, loadEnvFile, type MadeSecret, type Variables } from './load-env-file.ts'
export { runUntilSignal } from './run-until-signal.ts'
