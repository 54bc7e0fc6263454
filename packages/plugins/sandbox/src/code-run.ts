import type { codeRunner, ServiceOf } from '@sibyl/protocol'

/** A program to run, and its outcome. */
export type CodeRequest = Parameters<ServiceOf<typeof codeRunner>['run']>[0]
export type CodeFile = NonNullable<CodeRequest['files']>[number]
export type CodeOutcome = Awaited<ReturnType<ServiceOf<typeof codeRunner>['run']>>
export type CodeOutputFile = CodeOutcome['files'][number]
