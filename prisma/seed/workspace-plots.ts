import type { SeedProject } from './workspace-shape.ts';

export const PLOTS: SeedProject = {
  name: 'Reference Plots',
  access: 'OPEN',
  members: [],
  folders: [
    { name: 'Reports', hexColor: '#8a5a1f' },
    {
      name: 'Measurements',
      folders: [{ name: '2026', folders: [{ name: 'Field books', assignees: ['surveyor'] }] }],
    },
    { name: 'Methods' },
  ],
  documents: [
    {
      name: 'Field report NW-R-118.pdf',
      file: 'plots/field-report.pdf',
      folder: 'Reports',
      creator: 'stranger',
      tags: ['report', 'pillars'],
      assignees: ['surveyor'],
      comments: [
        { by: 'surveyor', text: 'RP-04 again. The badger has no respect for a tenth of a millimetre.' },
        { by: 'stranger', text: 'A new base in October, with a sleeve and mesh.' },
      ],
    },
    {
      name: 'Certificate NW-C-4471.pdf',
      file: 'plots/calibration.pdf',
      folder: 'Reports',
      creator: 'surveyor',
      tags: ['calibration', 'instrument'],
    },
    {
      name: 'Map of the plots.png',
      file: 'plots/map.png',
      folder: 'Reports',
      creator: 'surveyor',
      tags: ['map', 'picture'],
    },
    {
      name: 'Coordinates.csv',
      file: 'plots/coordinates.csv',
      folder: 'Measurements/2026',
      creator: 'surveyor',
      tags: ['pillars', 'table'],
      revisions: [{ file: 'plots/coordinates-2.csv', by: 'surveyor' }],
      comments: [{ by: 'surveyor', text: 'RP-04 on its new base.' }],
    },
    {
      name: 'Coordinates as of May.csv',
      file: 'plots/coordinates.csv',
      folder: 'Measurements/2026',
      creator: 'surveyor',
      recycledBy: 'stranger',
    },
    {
      name: 'Field book 27.txt',
      file: 'plots/field-book.txt',
      folder: 'Measurements/2026/Field books',
      creator: 'surveyor',
      tags: ['field book'],
    },
    {
      name: 'Outline of the plots.json',
      file: 'plots/outline.json',
      folder: 'Measurements',
      creator: 'surveyor',
      tags: ['map'],
    },
    {
      name: 'Measuring the pillars.docx',
      file: 'plots/method-statement.docx',
      folder: 'Methods',
      creator: 'surveyor',
      tags: ['method', 'pillars'],
      assignees: ['stranger'],
    },
  ],
};
