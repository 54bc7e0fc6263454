export { madeSecrets } from './made-secrets.ts'
export { type EnvExampleOptions, renderEnvExample } from './render-env-example.ts'
