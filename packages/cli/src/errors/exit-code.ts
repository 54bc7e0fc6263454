export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  configuration: 3,
  network: 4,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
