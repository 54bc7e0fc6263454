import { defineErrors } from '@sibyl/plugin'

export const alertErrors = defineErrors({
  alert_not_found: { status: 404, message: 'No alert has this ID. GET /operator/alerts lists them.' },
  alerts_full: { status: 409, message: 'There are already {most} alerts. Delete one that you no longer need.' },
  alert_channel_missing: {
    status: 409,
    message:
      'This oracle sends nothing by {channel}, because no plugin for it is enabled. Enable it, or use a webhook.',
  },
  alert_tests_used: {
    status: 429,
    message: 'At most {most} test notifications are sent in an hour. Try again later.',
  },
  alert_rejected: {
    status: 502,
    message: 'The receiver of the webhook answered {status}. Check its address and its log.',
  },
})
