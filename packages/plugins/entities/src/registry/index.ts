export { HttpRegistry } from './http-registry.ts'
export type { HttpRegistryOptions, RegistryCredentials, RepeatPolicy } from './http-registry-options.ts'
