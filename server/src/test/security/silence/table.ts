import { contactTable } from './contact.table.ts'
import type { Notices } from './notices.ts'

/** What the observer notices of each action, for every relation between the two. */
export const table: Notices = {
  ...contactTable,
  block: {
    cells: {
      stranger: '/ nearby page deck pool export',
      liked: '/ liked nearby page deck pool export',
      admirer: '/ notifications likes nearby page deck pool export',
      match: 'offline / online list history thread changes notifications matches past nearby page deck pool export',
      'sender partner':
        'offline / online list history thread changes search notifications past nearby page deck pool export',
      receiver: 'offline / online list history thread changes search past nearby page deck pool export',
      couple:
        'offline / online list history thread changes search notifications matches past nearby page deck pool export',
      'blocker blocked': '',
    },
  },
  'take a block back': {
    cells: {
      stranger: '/ nearby page deck pool export',
      liked: '/ liked nearby page deck pool export',
      admirer: '/ notifications likes nearby page deck pool export',
      match: 'online / online list history thread changes notifications matches past nearby page deck pool export',
      'sender partner blocker':
        'online / online list history thread changes search notifications past nearby page deck pool export',
      receiver: 'online / online list history thread changes search past nearby page deck pool export',
      couple:
        'online / online list history thread changes search notifications matches past nearby page deck pool export',
      blocked: '',
    },
  },
  report: { cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' } },
  'report and block': {
    cells: {
      stranger: '/ nearby page deck pool export',
      liked: '/ liked nearby page deck pool export',
      admirer: '/ notifications likes nearby page deck pool export',
      match: 'offline / online list history thread changes notifications matches past nearby page deck pool export',
      'sender partner':
        'offline / online list history thread changes search notifications past nearby page deck pool export',
      receiver: 'offline / online list history thread changes search past nearby page deck pool export',
      couple:
        'offline / online list history thread changes search notifications matches past nearby page deck pool export',
      'blocker blocked': '',
    },
  },
  unmatch: {
    cells: {
      'stranger liked admirer sender receiver partner blocker blocked': '',
      match: 'offline / online list history thread changes notifications matches past nearby page deck pool export',
      couple:
        'offline / online list history thread changes search notifications matches past nearby page deck pool export',
    },
  },
  'share a date': { cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' } },
  'hide presence': {
    cells: {
      stranger: '/ nearby page deck',
      liked: '/ liked nearby page',
      admirer: '/ likes nearby page deck',
      match: 'offline / online list history nearby page',
      'sender receiver partner': 'offline / online list history search nearby page deck',
      couple: 'offline / online list history search nearby page',
      'blocker blocked': '',
    },
  },
  'show presence again': {
    cells: {
      stranger: '/ nearby page deck',
      liked: '/ liked nearby page',
      admirer: '/ likes nearby page deck',
      match: 'online / online list history nearby page',
      'sender receiver partner': 'online / online list history search nearby page deck',
      couple: 'online / online list history search nearby page',
      'blocker blocked': '',
    },
  },
  'hide distance': {
    cells: {
      'stranger sender receiver partner': '/ nearby page deck',
      liked: '/ liked nearby page',
      admirer: '/ likes nearby page deck',
      'match couple': '/ nearby page',
      'blocker blocked': '',
    },
  },
  'go incognito': {
    cells: {
      stranger: '/ nearby page deck pool export',
      liked: '/ liked nearby page deck pool export',
      'admirer match couple blocker blocked': '',
      'sender partner': '/ deck?',
      receiver: 'offline / online list history thread changes search past nearby page deck pool export',
    },
  },
  'end incognito': {
    cells: {
      stranger: '/ nearby page deck pool export',
      liked: '/ liked nearby page deck pool export',
      'admirer match couple blocker blocked': '',
      'sender partner': '/ deck?',
      receiver: 'online / online list history thread changes search past nearby page deck pool export',
    },
  },
  'choose who may write': {
    cells: {
      'stranger admirer': '/ page deck',
      liked: '/ page',
      'match sender receiver partner couple blocker blocked': '',
    },
  },
  pause: {
    cells: {
      'stranger match sender receiver partner couple': '/ nearby page deck pool',
      liked: '/ liked nearby page deck pool',
      admirer: '/ likes nearby page deck pool',
      'blocker blocked': '',
    },
  },
  'go on after a pause': {
    cells: {
      'stranger sender receiver partner': '/ nearby page deck pool export',
      'match couple': '/ nearby page deck pool',
      liked: '/ liked nearby page deck pool',
      admirer: '/ likes nearby page deck pool export',
      'blocker blocked': '',
    },
  },
  'change filters to fit no more': {
    cells: {
      'stranger liked sender receiver partner': '/ nearby page deck pool',
      admirer: '/ likes nearby page deck pool',
      'match couple': '/ nearby deck pool',
      'blocker blocked': '',
    },
  },
  'turn read receipts off': {
    cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' },
  },
  'change their page': {
    cells: {
      'stranger sender receiver partner': '/ nearby page deck',
      liked: '/ liked nearby page',
      admirer: '/ likes nearby page deck',
      'match couple': '/ nearby page',
      'blocker blocked': '',
    },
  },
  move: { cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' } },
  'take the location back': {
    cells: {
      'stranger match sender receiver partner couple': '/ nearby page deck pool',
      liked: '/ liked nearby page deck pool',
      admirer: '/ likes nearby page deck pool',
      'blocker blocked': '',
    },
  },
  'answer a question': { cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' } },
  'sign out everywhere': {
    cells: {
      stranger: '/ nearby page deck',
      liked: '/ liked nearby page',
      admirer: '/ likes nearby page deck',
      match: 'offline / online history nearby page',
      'sender receiver partner': 'offline / online history search nearby page deck',
      couple: 'offline / online history search nearby page',
      'blocker blocked': '',
    },
  },
  connect: { cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' } },
  disconnect: {
    cells: {
      stranger: '/ nearby page deck',
      liked: '/ liked nearby page',
      admirer: '/ likes nearby page deck',
      match: 'offline / online history nearby page',
      'sender receiver partner': 'offline / online history search nearby page deck',
      couple: 'offline / online history search nearby page',
      'blocker blocked': '',
    },
  },
  'be warned': { cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' } },
  'be restricted': { cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' } },
  'be restricted unseen': {
    cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' },
  },
  'be suspended': {
    cells: {
      stranger: '/ nearby page deck pool export',
      liked: '/ liked nearby page deck pool export',
      admirer: '/ notifications likes nearby page deck pool export',
      match: 'offline / online list history thread changes notifications matches past nearby page deck pool export',
      'sender partner':
        'offline / online list history thread changes search notifications past nearby page deck pool export',
      receiver: 'offline / online list history thread changes search past nearby page deck pool export',
      couple:
        'offline / online list history thread changes search notifications matches past nearby page deck pool export',
      'blocker blocked': '',
    },
  },
  'be banned': {
    cells: {
      stranger: '/ nearby page deck pool export',
      liked: '/ liked nearby page deck pool export',
      admirer: '/ notifications likes nearby page deck pool export',
      match: 'offline / online list history thread changes notifications matches past nearby page deck pool export',
      'sender partner':
        'offline / online list history thread changes search notifications past nearby page deck pool export',
      receiver: 'offline / online list history thread changes search past nearby page deck pool export',
      couple:
        'offline / online list history thread changes search notifications matches past nearby page deck pool export',
      'blocker blocked': '',
    },
  },
  'be kept unseen': {
    cells: {
      stranger: '/ nearby page deck pool export',
      liked: '/ liked nearby page deck pool export',
      admirer: '/ notifications likes nearby page deck pool export',
      match: 'offline / online list history thread changes notifications matches past nearby page deck pool export',
      'sender partner':
        'offline / online list history thread changes search notifications past nearby page deck pool export',
      receiver: 'offline / online list history thread changes search past nearby page deck pool export',
      couple:
        'offline / online list history thread changes search notifications matches past nearby page deck pool export',
      'blocker blocked': '',
    },
  },
  'like, unseen': { cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' } },
  'take a like back, unseen': {
    cells: { 'stranger liked admirer match sender receiver partner couple blocker blocked': '' },
  },
  'be cleared, after a like': {
    cells: {
      stranger: 'notification:like likes_changed / notifications likes nearby page deck pool export',
      liked:
        'conversations notification:match match likes_changed online / online list history thread changes notifications matches past nearby page deck pool export',
      admirer: '/ notifications likes nearby page deck pool export',
      match: 'online / online list history thread changes notifications matches past nearby page deck pool export',
      'sender receiver partner':
        'notification:like likes_changed online / online list history thread changes search notifications likes past nearby page deck pool export',
      couple:
        'online / online list history thread changes search notifications matches past nearby page deck pool export',
      'blocker blocked': '',
    },
  },
  'ask for erasure': {
    cells: {
      stranger: '/ nearby page deck pool export',
      liked: '/ liked nearby page deck pool export',
      admirer: '/ notifications likes nearby page deck pool export',
      match: 'offline / online list history thread changes notifications matches past nearby page deck pool export',
      'sender partner':
        'offline / online list history thread changes search notifications past nearby page deck pool export',
      receiver: 'offline / online list history thread changes search past nearby page deck pool export',
      couple:
        'offline / online list history thread changes search notifications matches past nearby page deck pool export',
      'blocker blocked': '',
    },
  },
  'be erased': {
    cells: {
      stranger: '/ nearby page deck pool export',
      liked: '/ liked nearby page deck pool export',
      admirer: '/ notifications likes nearby page deck pool export',
      match: 'offline / online history thread changes notifications matches nearby page deck pool export',
      'sender partner': 'offline / online history thread changes search notifications nearby page deck pool export',
      receiver: 'offline / online history thread changes search nearby page deck pool export',
      couple: 'offline / online history thread changes search notifications matches nearby page deck pool export',
      blocker: '/ past',
      blocked: '/ past blocks export',
    },
  },
  'have an erasure carried out': {
    cells: {
      'stranger admirer': '',
      liked: '/ deck?',
      'sender receiver partner blocker': '/ past',
      'match couple': '/ past deck?',
      blocked: '/ past blocks export',
    },
  },
  'keep the account': {
    cells: {
      stranger: '/ nearby page deck pool export',
      liked: '/ liked nearby page deck pool export',
      admirer: '/ notifications likes nearby page deck pool export',
      match: 'online / online list history thread changes notifications matches past nearby page deck pool export',
      'sender partner':
        'online / online list history thread changes search notifications past nearby page deck pool export',
      receiver: 'online / online list history thread changes search past nearby page deck pool export',
      couple:
        'online / online list history thread changes search notifications matches past nearby page deck pool export',
      'blocker blocked': '',
    },
  },
  'have a suspension lifted': {
    cells: {
      stranger: '/ nearby page deck pool export',
      liked: '/ liked nearby page deck pool export',
      admirer: '/ notifications likes nearby page deck pool export',
      match: '/ list history thread changes notifications matches past nearby page deck pool export',
      'sender partner': '/ list history thread changes search notifications past nearby page deck pool export',
      receiver: '/ list history thread changes search past nearby page deck pool export',
      couple: '/ list history thread changes search notifications matches past nearby page deck pool export',
      'blocker blocked': '',
    },
  },
}
