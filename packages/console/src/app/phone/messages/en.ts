export const messages = { title: 'phone' } as const
