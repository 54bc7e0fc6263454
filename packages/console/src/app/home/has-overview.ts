import type { Access } from '../session/access.ts'

/** Returns whether the user may have to decide claims. */
export const mayEvaluate = ({ may, mayHave }: Access): boolean =>
  mayHave('claims') && may('claims/read') && may('claims/evaluate')

/** Returns whether the user has an overview; others start with their work, a queue or the chat. */
export const hasOverview = (access: Access, isForDevelopers: boolean): boolean =>
  isForDevelopers || access.may('operator/read') || !(access.may('chat/send') || mayEvaluate(access))
