export type { CommandIo, InputStream, OutputStream } from './command-io.ts'
export { type ExitCode, exitCode } from './exit-code.ts'
export { run } from './main.ts'
