interface Origin {
  women: string
  men: string
  both: string
  skins: string[]
  hair: string[]
  wears: RegExp
}

const dark = ['2c1b18', '1f1a17', '3b2a22']
const light = ['ffdbb4', 'edb98a']

export const origins: Origin[] = [
  {
    women: 'Ines Lena Clara Freya Elsa Marta Greta Sofia Chiara Nora Anouk Ida Hanna Zofia Alma Saoirse Maren Juliette',
    men: 'Theo Elias Jonas Matteo Anton Emil Luca Oskar Henrik Nils Tomasz Bram Rory Florian Hugo Pavel Aksel Janek',
    both: 'Robin Kim Noa Charlie',
    skins: light,
    hair: ['4a312c', '724133', 'a55728', 'b58143', 'd6b370'],
    wears: /^$/,
  },
  {
    women: 'Maya Ada Amara Zola Nia Abena Thandiwe Imani Wanjiru Folake Makena Efua Naledi Ayo Zuri Nyah Sade Akua',
    men: 'Kofi Kwame Tunde Jabari Sizwe Malik Chidi Obi Themba Amadou Baraka Femi Idris Desta Kwabena Tendai',
    both: 'Tari Rudo Ebo',
    skins: ['ae5d29', '694d3d'],
    hair: dark,
    wears: /afro|bantu|twists|dreads|cornrows/,
  },
  {
    women:
      'Priya Anika Meera Leela Nandini Tara Ishani Kavya Zara Rukmini Asha Divya Sunita Lakshmi Pooja Radhika Anjali Swati',
    men: 'Ravi Arjun Dev Kabir Rohan Nikhil Vikram Sameer Anand Farhan Imran Harish Aditya Manoj Karan',
    both: 'Kiran Jyoti Arya',
    skins: ['d08b5b', 'ae5d29'],
    hair: dark,
    wears: /turban/,
  },
  {
    women: 'Mei Yuki Hana Linh Ji-woo Sakura Xin Thuy Aiko Min-seo Lan Naoko Suda Wei-ling Mai Haruka Ngoc Eun-ji',
    men: 'Jun Kenji Minh Haruto Wei Tae-yang Bao Ren Daichi Somchai Hiro Long Jae-min Shun Takeshi',
    both: 'Yu Hikaru Akira',
    skins: ['ffdbb4', 'edb98a'],
    hair: dark,
    wears: /^$/,
  },
  {
    women:
      'Noor Leila Yasmin Salma Rania Shirin Dina Mariam Hala Nesrin Elif Parisa Samira Farah Zeynep Hanan Layal Amal',
    men: 'Sami Omar Karim Tariq Yusuf Emre Navid Ziad Rami Hassan Cem Dariush Bilal Murat Anwar',
    both: 'Nour Deniz Ruhi',
    skins: ['edb98a', 'd08b5b'],
    hair: [...dark, '4a312c'],
    wears: /hijab/,
  },
  {
    women:
      'Camila Valentina Luz Paloma Ximena Beatriz Rosa Itzel Mariana Flor Catalina Dalia Lucia Renata Abril Jimena Marisol Yara',
    men: 'Mateo Diego Rafael Santiago Thiago Joaquin Bruno Andres Gael Emiliano Caio Lucio Tomás Iker',
    both: 'Ariel Cruz Guadalupe',
    skins: ['edb98a', 'd08b5b', 'ae5d29'],
    hair: [...dark, '4a312c', '724133'],
    wears: /afro|dreads/,
  },
]
