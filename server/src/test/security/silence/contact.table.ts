import type { Row } from './notices.ts'

/** What the observer notices of likes, messages and views, for every relation between the two. */
export const contactTable = {
  'look at their page': {
    cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' },
  },
  'look at all lists': { cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' } },
  like: {
    cells: {
      'stranger sender receiver partner': 'notification:like likes_changed / notifications likes export',
      liked:
        'conversations notification:match match likes_changed online / online list history thread changes notifications liked matches page deck export',
      'admirer match couple blocker blocked': '',
    },
  },
  'like with a comment': {
    cells: {
      'stranger sender receiver partner': 'notification:like likes_changed / notifications likes export',
      liked:
        'conversations notification:match match likes_changed online / online list history thread changes notifications liked matches page deck export',
      admirer: 'likes_changed / likes',
      'match couple blocker blocked': '',
    },
  },
  pass: {
    cells: {
      'stranger liked match sender receiver partner couple blocker blocked': '',
      admirer: 'notifications_changed likes_changed / notifications likes export',
    },
  },
  later: {
    cells: {
      'stranger liked match sender receiver partner couple blocker blocked': '',
      admirer: 'notifications_changed likes_changed / notifications likes export',
    },
  },
  'take a like back': {
    cells: {
      'stranger liked match sender receiver partner couple blocker blocked': '',
      admirer: 'notifications_changed likes_changed / notifications likes export',
    },
  },
  'undo the last decision': {
    cells: {
      'stranger liked match sender receiver partner couple blocker blocked': '',
      admirer: 'notifications_changed likes_changed / notifications likes export',
    },
  },
  'undo a pass': { cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' } },
  message: {
    cells: {
      'stranger liked admirer': 'conversations private message online / online list history thread changes export',
      match: 'conversations private message / list history thread changes matches export',
      receiver: 'conversations private message / list history thread changes export',
      'sender partner couple': 'private message / list history thread changes export',
      'blocker blocked': '',
    },
    unheard: {
      'stranger liked admirer': '/ online list history thread changes notifications export',
      match: '/ list history thread changes notifications matches export',
      'sender receiver partner couple': '/ list history thread changes notifications export',
    },
  },
  'edit a message': {
    cells: {
      'stranger liked admirer match receiver blocker blocked': '',
      'sender partner couple':
        'notifications_changed message_changed / list history thread changes search notifications export',
    },
  },
  'delete a message': {
    cells: {
      'stranger liked admirer match receiver blocker blocked': '',
      'sender partner couple':
        'notifications_changed message_changed / list history thread changes search notifications export',
    },
  },
  'react to a message': {
    cells: {
      'stranger liked admirer match sender blocker blocked': '',
      'receiver partner couple': 'message_changed / list history thread changes search',
    },
  },
  'read up to the end': {
    cells: {
      'stranger liked admirer match receiver blocker blocked': '',
      sender: 'conversation_read / list history',
      'partner couple': 'conversation_read / list history thread changes search',
    },
  },
  'have everything delivered': {
    cells: {
      'stranger liked admirer match receiver blocker blocked': '',
      sender: 'conversation_delivered / list history',
      'partner couple': 'conversation_delivered / list history thread changes search',
    },
  },
  type: { cells: { 'stranger liked admirer blocker blocked': '', 'match sender receiver partner couple': 'typing' } },
  'stop typing': {
    cells: { 'stranger liked admirer blocker blocked': '', 'match sender receiver partner couple': 'stop_typing' },
  },
  'open a conversation': {
    cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' },
  },
  'ask for the conversations': {
    cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' },
  },
  'accept a request': {
    cells: {
      'stranger liked admirer match sender partner couple blocker blocked': '',
      receiver: 'conversations / list',
    },
  },
  'mute and archive': { cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' } },
  'take the conversation off the list': {
    cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' },
  },
} satisfies Record<string, Row>
