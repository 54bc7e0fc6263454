export const messages = { title: 'users' } as const
