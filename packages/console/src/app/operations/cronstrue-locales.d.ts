/** Side effects alone: without types. */
declare module 'cronstrue/locales/*'
