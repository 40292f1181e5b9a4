<peerAnnotation><pyramid><startDocumentRegEx><![CDATA[[-]*\n D[0-9]+\.[A-Z]\n[-]*\n]]></startDocumentRegEx>
 <text><line>-----</line><line> D1.A</line><line>-----</line><line>The dog ran.</line>
       <line>-----</line><line> D1.B</line><line>-----</line><line>A cat slept while the dog ran.</line></text>
 <scu uid="3" label="a dog ran" comment="twice">
  <contributor label="The dog ran"><part label="The dog ran" start="18" end="29"/></contributor>
  <contributor label="the dog ran"><part label="the dog ran" start="67" end="78"/></contributor></scu>
 <scu uid="7" label="a cat slept">
  <contributor label="A cat slept"><part label="A cat slept" start="49" end="60"/></contributor></scu>
 <scu uid="8" label="sleep">
  <contributor label="slept"><part label="slept" start="0" end="5"/></contributor></scu></pyramid>
 <annotation><text><line>A dog ran.</line><line>And hid.</line></text>
  <peerscu uid="3" label="(2) a dog ran"><contributor label="A dog ran"><part label="A dog ran" start="0" end="9"/></contributor><contributor label="ran"/></peerscu>
  <peerscu uid="7" label="(1) a cat slept"></peerscu>
  <peerscu uid="9" label="(1) of another pyramid"><contributor label="hid"/></peerscu>
  <peerscu uid="0" label="All non-matching SCUs go here"><contributor label="And hid"><part label="And hid" start="11" end="18"/></contributor></peerscu>
 </annotation><score><qualityScore>0,5000</qualityScore><coverageScore>0.9000</coverageScore></score></peerAnnotation>
