/** Tells the agent, in a turn of somebody who wrote an SMS, what an SMS can carry. */
export const smsNote =
  'The person reads this as an SMS. Answer in their language, in plain text without Markdown or pictographs, in less than ' +
  '300 characters. No person can approve anything here.'
