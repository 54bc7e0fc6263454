/** Whether an invitation is taken. @param allowed `all`, user ids, names of homeservers */
export const mayInvite = (inviter: string, allowed: readonly string[]): boolean => {
  const server = inviter.slice(inviter.indexOf(':') + 1)
  return allowed.includes('all') || allowed.includes(inviter) || allowed.includes(server)
}
