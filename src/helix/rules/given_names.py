"""Given names that people who write code are often called, lower-cased.

A list makes the difference between "I asked Ines" and "I restarted Ingress": in talk about
software most capitalised words are not people. Names that are missing here are still
recognised by what stands around them (`helix.rules.names`).
"""

from __future__ import annotations

from helix.rules.vocabulary import listed

GIVEN_NAMES = listed("""
    aaron abby abdul abdullah abigail abraham adam adele adeline aditi aditya adrian adriana
    adrien agata agnes agnieszka ahmad ahmed aidan aiden aileen aisha aishwarya ajay akash akira
    akshay alain alan albert alberto alejandra alejandro aleksandr aleksandra aleksei alessandro
    alessia alex alexa alexander alexandra alexandre alexei alexis alfred alfredo ali alice alicia
    alina aline alisa alison alistair allan allen allison alma alvaro alyssa amanda amelia amina
    amir amit amy ana anastasia anders andre andrea andreas andrei andrej andres andrew andrey
    andrzej andy angela angelica angelina angelo anika anil anita anja anjali ankit ann anna
    annabel anne annette annie annika ansel anthony antje anton antonia antonio anya aoife ari
    ariana ariel arjun armin arnaud arnold arthur artur arun asa ashley ashok asma astrid audrey
    avery ayesha aylin ayse barbara barry bart bartosz beatrice beatriz becca becky belinda ben
    benedict benjamin benny bernard bernd bert beth bethany betty beverly bianca bjorn blake bob
    bobby boris bradley brandon brenda brendan brent brett brian bridget bruce bruno bryan bryce
    caleb calvin cameron camila camille carina carl carla carlo carlos carmen carol carole carolin
    caroline carolyn carrie casey catalina catarina catherine cathy cecile cecilia cedric celine
    cesar chandra chantal charles charlie charlotte chelsea chen cheryl chiara chloe chris christa
    christina christine christoph christophe christopher cindy claire clara clarissa clark claudia
    clement cliff clifford clint cody cole colette colin colleen connor conor conrad constance
    corey corinne courtney craig cristian cristina curtis cynthia dagmar daiki dale damian damien
    dan dana daniel daniela daniele danielle danny daphne daria darius darren dave david dean
    deanna deb debbie deborah debra declan deepa deepak deepika denis denise dennis derek desmond
    devon diana diane diego dieter dimitri dina dinesh dmitri dmitry dolores dominic dominik
    dominique don donald donna doris dorothea dorothy doug douglas duncan dustin dwayne dylan
    eddie edgar edith edmund eduardo edward edwin eileen ekaterina elaine eleanor elena eli elias
    elif elijah elisa elisabeth elise elizabeth ella ellen ellie elliot elliott elsa elvira emil
    emile emilia emilie emilio emily emir emma emmanuel emre enrico enrique eric erica erik erika
    erin ernest esra esteban estelle esther ethan eugene eva evan eve evelyn fabian fabien fabio
    fabrice farah farhan fatima fatma federico felicia felipe felix ferdinand fernanda fernando
    filip filippo finn fiona florian floriane francesca francesco francis francisco francois franz
    freddie frederic frederick frederik freya fritz gabriel gabriela gabriele gabriella gareth
    gary gavin gemma geoff geoffrey george georges georgina gerald gerard gerd gerhard gerry
    gianluca gilbert giles gina giorgio giovanni gisela giulia giuseppe gladys glen glenn gloria
    gonzalo goran gordon graham greg gregor gregory greta gretchen guido guillaume guillermo
    gunther gustav gustavo gwen hadi hana hank hanna hannah hannes hans harald hari harold harriet
    harris harry haruka haruki harvey hassan hector heidi heike heiko helen helena helene helga
    henri henrik henry herbert herman hideo hilary hilda hiroshi holger howard hubert hugh huseyin
    hussein hyun ian ibrahim ida ignacio igor ilya imran ines inga ingrid irene irina isaac isabel
    isabella isabelle ismail ivan ivana jacek jackie jackson jacob jacqueline jacques jaime jake
    jakob jakub jamal james jamie jan jana jane janet janice janine janis jared jaroslav jason
    javier jay jayden jean jeanette jeanne jeff jeffrey jen jenna jenni jennifer jenny jens
    jeremiah jeremy jerome jerry jesper jess jesse jessica jesus jill jim jimmy jin jing joachim
    joan joana joanna joanne joao joaquin jochen jodie joe joel joelle joey johan johanna johannes
    john johnny jolene jon jonah jonas jonathan jorge jose josef josefine joseph josephine josh
    joshua josie joyce juan juana juanita judith judy jukka jules julian juliana julianne julie
    julien juliet juliette julio julius jun jurgen justin justine justyna kaito kamal kamil kaori
    karen karim karin karina karl karla karolina kasia kate katerina katharina katherine kathleen
    kathryn kathy katie katja katrin katrina katya kavita kay kayla kazuo keiko keith kelly kelsey
    ken kendra kenji kenneth kenny kenta kerry kevin khadija khaled kieran kim kimberly kirsten
    klara klaus kristen kristian kristin kristina kristine kristof krzysztof kumar kurt kwame kyle
    lakshmi larissa larry lars laszlo latisha laura lauren laurence laurent lauri lawrence layla
    lea leah leandro lee leila lena lennart leo leon leonard leonardo leonid leonie leonor leroy
    leslie lev lewis liam lidia liesel lilian liliana lillian linda lindsay lindsey linus lionel
    lisa liu liv livia liz liza lizzie loic lola lorena lorenz lorenzo loretta lori lorraine
    lottie louis louisa louise luca lucas lucia lucian luciana lucie lucy ludwig luis luisa luiz
    lukas lukasz luke lydia lyn lynn maciej maddie madeleine madison mads magda magdalena maggie
    magnus mahmoud maia maja malcolm malik malte mandy manfred manon manuel manuela mara marc
    marcel marcela marcelo marcia marcin marco marcos marcus margaret margarita margot marguerite
    maria mariam marian mariana marie marija marijke marilyn marina mario marion marisa marisol
    marius marjorie marko markus marlene marlon marta martha martin martina martine marvin mary
    maryam masha massimo mateo mateusz mathias mathieu mathilde matilda mats matt matteo matthew
    matthias matthieu matti maureen maurice mauricio maxim maxime maximilian maya megan mehdi
    mehmet mei mel melanie melinda melissa meredith mia micah michael michaela michal michel
    michele michelle miguel mihai mikael mike mikhail mikko milan milena millie milos min-jun mina
    mindy mingyu mira miranda miriam mirko mitch mitchell mohamed mohammad mohammed mohit moira
    molly mona monica monika monique morgan moritz muhammad murat murray mustafa myles myriam
    nadia nadine naomi natalia natalie natasha nate nathalie nathan nathaniel neha neil nelson
    nicholas nicki nico nicola nicolas nicole nicoletta niels nikhil nikita niklas niko nikola
    nikolai nikolas nikos nils nina ning nisha noah noel noelle noemi nora norbert norma norman
    nuno odile olaf ole oleg oleksandr olena olga oliver olivia olivier oluwaseun omar oscar oskar
    otto owen pablo paige pamela paolo pascale patricia patrick patrik patrycja paul paula pauline
    paulo pavel pawel pedro peggy pekka penelope per perry petar pete peter petr petra phil philip
    philipp philippa philippe phillip pia pierre pieter piotr polly prakash pranav prasad pratik
    preeti priya priyanka rachael rachel radek rafael rafal raffaele rahul raj rajesh ralf ralph
    ramesh rami ramon rana randy raphael raquel rashid raul ravi raymond rebecca regina reinhard
    rekha renata renate rene reza ricardo riccardo richard rick ricky rita ritu robbie robert
    roberta roberto robin robyn rodney rodrigo roger rohan rohit roland rolf roman ron ronald
    ronja ronnie rory rosa rosalie rosanna rosario rosie ross roxanne roy ruben rudolf rudy rupert
    russell ruth ryan sabine sabrina sachin sadie said saif sakura sally salma sam samantha samir
    samira samuel sandeep sandra sanjay sanna santiago sara sarah sascha sasha satoshi saul scott
    sean sebastian sebastien selena selma serena serge sergei sergey sergio seth shane shankar
    shannon sharon shaun shawn sheila shelby shelly sheryl shinji shirley shreya shruti sidney
    siegfried sigrid silke silvia simon simona simone siobhan sneha sofia sofie solange sonia
    sonja sophia sophie soren stacey stacy stan stanislav stanley stefan stefania stefanie stefano
    stella steph stephan stephane stephanie stephen stephon steve steven stewart stuart suki sunil
    suresh susan susanna susanne sushma suzanne svante sven svetlana sylvia sylvie tamara tamika
    tania tanja tanya tara tariq tasha tatiana tatyana ted teresa terri terry tess tessa thandiwe
    thea thelma theo theodore theresa therese thiago thibault thierry thomas thorsten tiago
    tiffany till tim timo timothy tina tobias toby todd tom tomas tomasz tommy toni tony torsten
    tracey tracy trent trevor tricia trisha tristan troy tuomas tyler tyrone ulrich ulrike uma
    umar ursula usha uwe vadim valentin valentina valeria valerie vanessa vasily venkat vera
    verena veronica veronika vicki vicky victoria vijay vikram viktor viktoria ville vincent
    vincenzo virginie vishal vitaly vivek vivian vivien vladimir walter wanda wayne wei wendy
    werner wesley whitney wilfried wilhelm willem william willie wilma winston wojciech wolfgang
    xavier xiao xin yael yannick yara yasmin yasmine yasuo yosef yoshi youssef yuan yuki yuri
    yusuf yves yvette yvonne zach zachary zahra zainab zara zeynep zhang zoe zofia zoltan zsofia
    """)

ALSO_WORDS = listed("""
    amber angel art ash aurora austin bailey basil bill brad brook brooke brooklyn buck carter
    cash chad chance chase christian clay cliff cooper crystal daisy dakota dallas dawn dean dick
    don drew earl eve faith fay flora florence forest frank gene georgia ginger glen grace grant
    grey gus guy hailey hazel heather holly hope hunter iris israel ivy jack jade jasmine jasper
    jay jewel jin jordan josh joy jun kay ken lance lane laurel lee leslie lev lily lin mark mason
    max mei mercedes mick mike miles min misty morgan nick ning noble norm olive page paris parker
    pat pearl penny per pete phoenix piper presley ray red reed rex rich rob robin rock rod roman
    rose roy ruby rusty said sandy savannah scout sean sienna skip sky skyler sol sterling sue
    summer sydney taylor ted till tony trinity troy tucker van victor vince violet virginia wade
    wan ward warren wei will willow xiao yang
    """)
"""Names that are also words or places: believed only inside a sentence that suits a person."""
