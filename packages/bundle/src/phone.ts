export * from '@sibyl/plugin-ussd/phone'
